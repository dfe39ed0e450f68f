import { useEffect, useState } from "react";
import type { Comment, CommentList as Page } from "#contract/visitors/comments.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { ErrorState } from "#web/components/ui/states.tsx";
import { browserApi } from "#web/lib/api/page-api.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { CommentForm } from "./comment-form.tsx";
import { CommentList } from "./comment-list.tsx";

const messages = inLanguage("comments");

/** Comments below a video. They are loaded when the visitor opens them. */
export function CommentsSection({ slug }: { slug: string }) {
  const [comments, setComments] = useState<readonly Comment[]>([]);
  const [own, setOwn] = useState<readonly Comment[]>([]);
  /** Cursor of the next page. Null for the first page, undefined after the last. */
  const [next, setNext] = useState<string | null | undefined>(null);
  /** First comment of the last page, if it isn't the only page. */
  const [added, setAdded] = useState<string>();
  const [state, setState] = useState<"loading" | "failed" | "ready">("loading");

  const load = async (cursor: string | null) => {
    setState("loading");
    try {
      const page: Page = await browserApi.listComments(slug, cursor);
      setComments((before) => (cursor === null ? page.comments : [...before, ...page.comments]));
      setAdded(cursor === null || page.nextCursor !== null ? undefined : page.comments[0]?.id);
      setNext(page.nextCursor ?? undefined);
      setState("ready");
    } catch (error) {
      console.warn("couldn't load comments", error);
      setState("failed");
    }
  };
  useEffect(() => {
    void load(null);
    // Mounted once for each video.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return (
    <div className="grid gap-6">
      <CommentForm slug={slug} onSent={(comment) => setOwn((before) => [comment, ...before])} />
      {state === "ready" || own.length + comments.length > 0 ? (
        <CommentList slug={slug} own={own} listed={comments} added={added} />
      ) : null}
      {state === "loading" ? <Spinner /> : null}
      {state === "failed" ? (
        <ErrorState
          message={messages.loadFailed}
          retryLabel={messages.tryAgain}
          onRetry={() => void load(next ?? null)}
        />
      ) : null}
      {state !== "failed" && typeof next === "string" ? (
        <div>
          <Button
            aria-disabled={state === "loading"}
            onClick={() => {
              if (state === "ready") void load(next);
            }}
          >
            {messages.more}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
