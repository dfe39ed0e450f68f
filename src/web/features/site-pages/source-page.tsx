import { sitePage } from "./site-page.tsx";

export const { Component, loader, handle } = sitePage("source");
