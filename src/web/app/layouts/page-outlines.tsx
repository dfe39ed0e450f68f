import type { ComponentType } from "react";
import { Skeleton } from "#web/components/ui/states.tsx";
import { VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("layout");

function VideoPageSkeleton() {
  return (
    <div role="status" aria-label={messages.loadingVideo} className="sm:pt-5">
      <div className="grid gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem] 2xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div>
          <Skeleton className="-mx-4 aspect-video max-h-[78vh] rounded-none! sm:mx-0 sm:rounded-lg!" />
          <Skeleton className="mt-5 h-7 w-2/3" />
          <Skeleton className="mt-4 h-4 w-1/3" />
          <Skeleton className="mt-8 h-4 w-full max-w-3xl" />
          <Skeleton className="mt-2 h-4 w-4/5 max-w-3xl" />
        </div>
        <div className="space-y-4">
          <Skeleton className="h-6 w-40" />
          {Array.from({ length: 6 }, (_, index) => (
            <div key={index} className="flex gap-3">
              <Skeleton className="aspect-video w-44 shrink-0 rounded-md" />
              <div className="flex-1 pt-1">
                <Skeleton className="h-4 w-full" />
                <Skeleton className="mt-2 h-3 w-1/2" />
              </div>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

const many = (count: number, className: string) =>
  Array.from({ length: count }, (_, index) => <Skeleton key={index} className={className} />);

function HeadingOutline({ picture }: { picture: string | undefined }) {
  return (
    <div className="page-heading">
      {picture === undefined ? null : (
        <div data-cover="">
          <Skeleton className={picture} />
        </div>
      )}
      <div data-title="">
        <Skeleton className="h-8.5 w-48 max-w-full" />
      </div>
      <div data-intro="">
        <Skeleton className="h-6 w-72 max-w-full" />
      </div>
    </div>
  );
}

function TagsOutline() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] gap-2">
      {many(24, "h-11 rounded-full!")}
    </div>
  );
}

function CategoriesOutline() {
  return (
    <div className="grid gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3 xl:grid-cols-4">
      {many(8, "h-20 rounded-lg! sm:aspect-[16/13] sm:h-auto")}
    </div>
  );
}

function ActorsOutline() {
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-8 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-6">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} className="flex flex-col items-center">
          <Skeleton className="size-24 rounded-full! md:size-28" />
          <Skeleton className="mt-3 h-4 w-24" />
          <Skeleton className="mt-2 h-3 w-16" />
        </div>
      ))}
    </div>
  );
}

function TrendingOutline() {
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-1.5 py-1 sm:gap-2">
        {many(4, "h-11 w-20 rounded-full! sm:w-24")}
      </div>
      <div className="mb-8 grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {many(4, "h-28 rounded-lg!")}
      </div>
    </>
  );
}

function TextOutline() {
  return (
    <div className="max-w-[70ch] space-y-3">
      {many(5, "h-4 w-full")}
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}

const outlines: Readonly<Record<string, ComponentType>> = {
  "/tags": TagsOutline,
  "/categories": CategoriesOutline,
  "/actors": ActorsOutline,
  "/terms": TextOutline,
  "/privacy": TextOutline,
  "/contact": TextOutline,
  "/source": TextOutline,
  "/takedown": TextOutline,
  "/removals": TextOutline,
};

/**
 * Returns the classes of a placeholder with the final size of the category cover or actor picture.
 */
function pictureOf(pathname: string): string | undefined {
  if (pathname.startsWith("/actors/")) return "size-20 rounded-full! sm:size-24 md:size-28";
  if (pathname.startsWith("/categories/")) return "aspect-video w-32 rounded-lg! sm:w-40 md:w-52";
  return undefined;
}

/** Skeleton of the page that is loading. */
export function PageOutline({ pathname }: { pathname: string }) {
  if (pathname.startsWith("/video/")) return <VideoPageSkeleton />;
  const Outline = outlines[pathname];
  return (
    <>
      <HeadingOutline picture={pictureOf(pathname)} />
      {Outline === undefined ? (
        <>
          {pathname === "/trending" ? <TrendingOutline /> : null}
          <VideoGridSkeleton />
        </>
      ) : (
        <div role="status" aria-label={messages.loadingPage}>
          <Outline />
        </div>
      )}
    </>
  );
}
