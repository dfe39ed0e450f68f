import { Skeleton } from "../../components/ui/skeleton.tsx";
import { VideoGridSkeleton } from "../../components/video/video-grid.tsx";
import { layoutMessages as messages } from "./messages.ts";

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

/** The skeleton of the page that is loading. */
export function PageOutline({ pathname }: { pathname: string }) {
  if (pathname.startsWith("/video/")) return <VideoPageSkeleton />;
  return (
    <div className="pt-8">
      <Skeleton className="mb-8 h-8 w-48" />
      <VideoGridSkeleton />
    </div>
  );
}
