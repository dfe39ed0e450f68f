/** Script of `first-frame/` as text for an inline `<script>`, see setup/inline-scripts.ts. */
declare module "*?inline-script" {
  const text: string;
  export default text;
}
