// @vitest-environment happy-dom
import { createBrowserRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it } from "vitest";
import { act, render } from "@testing-library/react";
import { useLastPage, useListParams, type ListParams } from "./list-params.ts";

let params: ListParams | null = null;
let router: ReturnType<typeof createBrowserRouter>;

function Filters({ onRender }: { onRender: (params: ListParams) => void }): null {
  onRender(useListParams());
  return null;
}

/** Returns the filters of the last render. */
function rendered(): ListParams {
  if (params === null) throw new Error("nothing is rendered");
  return params;
}

beforeEach(() => {
  window.history.replaceState(null, "", "/?page=3");
  const element = <Filters onRender={(next) => (params = next)} />;
  router = createBrowserRouter([{ path: "*", element }]);
  render(<RouterProvider router={router} />);
});
afterEach(() => {
  router.dispose();
  window.history.replaceState(null, "", "/");
});

it("keeps a filter when another one is set before the next render", async () => {
  const { set } = rendered();
  await act(async () => {
    set({ type: "popup" });
    await Promise.resolve();
    set({ placement: "footer" });
  });
  expect(window.location.search).toBe("?type=popup&placement=footer");
  expect(rendered().get("type")).toBe("popup");
});

it("returns to page 1 when a filter changes, and keeps filters when the page changes", async () => {
  expect(rendered().page).toBe(3);
  await act(async () => rendered().set({ type: "popup", placement: "" }));
  expect(window.location.search).toBe("?type=popup");
  await act(async () => rendered().setPage(2));
  expect(window.location.search).toBe("?type=popup&page=2");
  await act(async () => rendered().setPage(1));
  expect(window.location.search).toBe("?type=popup");
});

it("reads the page size from the URL, and returns to page 1 when it changes", async () => {
  expect(rendered().pageSize).toBe(10);
  await act(async () => rendered().setPageSize(50));
  expect(window.location.search).toBe("?rows=50");
  expect(rendered()).toMatchObject({ page: 1, pageSize: 50 });
  await act(async () => rendered().setPageSize(10));
  expect(window.location.search).toBe("");
  await act(async () => rendered().set({ rows: "7000" }));
  expect(rendered().pageSize).toBe(10);
});

it("limits the page to the last one that the server accepts", async () => {
  await act(async () => rendered().setPage(10_002));
  expect(rendered().page).toBe(10_001);
  await act(async () => rendered().set({ rows: "50", page: "10002" }));
  expect(rendered().page).toBe(2001);
});

function List({ total }: { total?: number }): null {
  const shown = useListParams();
  useLastPage(shown, shown.pageSize, total);
  return null;
}

it("replaces a page that no longer exists with the last one", () => {
  const show = (total?: number) => {
    const element = <List total={total} />;
    router.dispose();
    router = createBrowserRouter([{ path: "*", element }]);
    return render(<RouterProvider router={router} />);
  };
  show();
  expect(window.location.search).toBe("?page=3");
  show(0);
  expect(window.location.search).toBe("?page=3");
  const entries = window.history.length;
  show(20);
  expect(window.location.search).toBe("?page=2");
  show(10);
  expect(window.location.search).toBe("");
  expect(window.history.length).toBe(entries);
});
