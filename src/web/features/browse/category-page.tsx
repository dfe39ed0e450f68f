import { singlePage } from "./single-page.tsx";

export const { Component, loader, handle } = singlePage("categories");
