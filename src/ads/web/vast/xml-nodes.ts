/** Returns the child elements with this name. */
export const children = (node: Element, name: string): Element[] =>
  Array.from(node.childNodes).filter(
    (child): child is Element => child.nodeType === 1 && child.nodeName === name,
  );

export const text = (node: Element | undefined): string => node?.textContent?.trim() ?? "";
