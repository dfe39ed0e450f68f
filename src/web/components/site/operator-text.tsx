import "./site-page.css";

/**
 * Shows a text by the operator. The server renders it from Markdown. Raw HTML becomes text, and
 * only safe URLs remain.
 */
export function OperatorText({ html }: { html: string }) {
  return <div dir="auto" className="site-page" dangerouslySetInnerHTML={{ __html: html }} />;
}
