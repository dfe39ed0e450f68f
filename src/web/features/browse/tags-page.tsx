import { indexPage } from "./index-page.tsx";

export const { Component, loader, handle } = indexPage("tags");
