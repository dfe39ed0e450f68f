import "./site-page.css";

/**
 * Text of the operator. The server renders it from Markdown: raw HTML becomes text, and only safe
 * addresses stay.
 */
export function OperatorText({ html }: { html: string }) {
  return <div dir="auto" className="site-page" dangerouslySetInnerHTML={{ __html: html }} />;
}
