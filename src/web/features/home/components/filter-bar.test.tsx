// @vitest-environment happy-dom
import {
  createMemoryRouter,
  RouterProvider,
  useLoaderData,
  useNavigate,
  type LoaderFunctionArgs,
} from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { homeHref, parseFilters, type Filters } from "../filters.ts";
import { FilterBar } from "./filter-bar.tsx";

/** Milliseconds until a page has loaded. */
const responseMs = 2000;
let opened: string[];

function Page() {
  const navigate = useNavigate();
  const filters: Filters = useLoaderData();
  const show = (wanted: Filters) => void navigate(homeHref(wanted));
  return <FilterBar filters={filters} categories={["Teen"]} onChange={show} />;
}

function open(path: string) {
  const read = (request: Request) => parseFilters(new URL(request.url).searchParams);
  const loader = async ({ request }: LoaderFunctionArgs) => {
    opened.push(request.url.replace("http://localhost", ""));
    await new Promise((resolve) => setTimeout(resolve, responseMs));
    return read(request);
  };
  const router = createMemoryRouter([{ id: "home", path: "/home", loader, element: <Page /> }], {
    initialEntries: [path],
    hydrationData: { loaderData: { home: read(new Request(`http://localhost${path}`)) } },
  });
  render(<RouterProvider router={router} />);
  return {
    chip: (name: string) => screen.getByRole("button", { name }),
    field: () => screen.getByRole("searchbox", { name: "Filter these videos" }) as HTMLInputElement,
    followLink: (to: string) => act(async () => void router.navigate(to)),
    url: () => router.state.location.pathname + router.state.location.search,
  };
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const isPressed = (chip: HTMLElement) => chip.getAttribute("aria-pressed") === "true";

beforeEach(() => {
  opened = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("marks Newest in a search only if it is chosen, because relevance is the default", async () => {
  const { chip, url } = open("/home?search=x");
  expect(isPressed(chip("Newest"))).toBe(false);
  fireEvent.click(chip("Newest"));
  expect(isPressed(chip("Newest"))).toBe(true);
  await pass(500 + responseMs);
  expect([url(), isPressed(chip("Newest"))]).toEqual(["/home?search=x&sort=newest", true]);
  cleanup();
  expect(isPressed(open("/home").chip("Newest"))).toBe(true);
});

it("preserves text that is typed while a list without the search loads", async () => {
  const { chip, field, url } = open("/home?search=x&sort=newest");
  fireEvent.click(chip("Remove filter: x"));
  await pass(responseMs - 100);
  fireEvent.change(field(), { target: { value: "y" } });
  await pass(200);
  expect([url(), field().value]).toEqual(["/home", "y"]);
});

it("reports a removed filter at once, together with a change that was pending", async () => {
  const { chip, url } = open("/home?search=x");
  fireEvent.click(chip("Top Rated"));
  await pass(300);
  act(() => chip("Remove filter: x").focus());
  fireEvent.click(chip("Remove filter: x"));
  expect(document.activeElement?.textContent).toBe("Categories");
  expect(opened).toEqual(["/home?sort=top_rated"]);
  await pass(responseMs);
  expect(opened).toHaveLength(1);
  expect(url()).toBe("/home?sort=top_rated");
});

it.each(["/home?search=x", "/home"])("drops a pending change if a link opens %s", async (path) => {
  const { chip, url, followLink } = open(path);
  fireEvent.click(chip("Top Rated"));
  await pass(300);
  await followLink("/home");
  expect(isPressed(chip("Top Rated"))).toBe(false);
  await pass(responseMs);
  expect(opened).toEqual(["/home"]);
  expect(url()).toBe("/home");
});

it("keeps text that is typed while a reported change loads", async () => {
  const { field, url } = open("/home");
  fireEvent.change(field(), { target: { value: "ab" } });
  await pass(500);
  await pass(responseMs - 100);
  fireEvent.change(field(), { target: { value: "abc" } });
  await pass(200);
  expect(field().value).toBe("abc");
  await pass(500 + responseMs);
  expect(opened).toEqual(["/home?search=ab", "/home?search=abc"]);
  expect(url()).toBe("/home?search=abc");
});

it("reports a choice that is taken back while it loads", async () => {
  const { chip, url } = open("/home");
  fireEvent.click(chip("Top Rated"));
  await pass(600);
  fireEvent.click(chip("Newest"));
  await pass(500 + responseMs);
  expect(opened).toEqual(["/home?sort=top_rated", "/home"]);
  expect([url(), isPressed(chip("Newest"))]).toEqual(["/home", true]);
});

it("releases a pressed sort chip, which sorts a search by relevance again", async () => {
  const { chip, url } = open("/home?search=x");
  fireEvent.click(chip("Newest"));
  await pass(500 + responseMs);
  expect(url()).toBe("/home?search=x&sort=newest");
  fireEvent.click(chip("Newest"));
  expect(isPressed(chip("Newest"))).toBe(false);
  await pass(500 + responseMs);
  expect(url()).toBe("/home?search=x");
});

it.each(["field", "chip"])("sorts by relevance after the %s has cleared a search", async (way) => {
  const { chip, field, url } = open("/home?search=x");
  fireEvent.click(chip("Newest"));
  await pass(500 + responseMs);
  if (way === "field") fireEvent.change(field(), { target: { value: "" } });
  else fireEvent.click(chip("Remove filter: x"));
  await pass(500 + responseMs);
  expect([url(), isPressed(chip("Newest"))]).toEqual(["/home", true]);
  fireEvent.change(field(), { target: { value: "y" } });
  await pass(500 + responseMs);
  expect(url()).toBe("/home?search=y");
});
