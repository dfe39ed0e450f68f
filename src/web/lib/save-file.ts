/** Offers a text as a download. */
export function saveFile(text: string, name: string, type: string): void {
  const link = document.createElement("a");
  // oxlint-disable-next-line kinora/page-path -- A file, not a page.
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Some browsers read the file only later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
