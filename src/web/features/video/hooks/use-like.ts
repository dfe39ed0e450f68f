import { useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { changeLike, fetchLikeStatus } from "#web/lib/api/visitor-marks.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("video");

/** The page is the same for all visitors, so this visitor's like is fetched afterwards. */
export function useLike(slug: string, initialCount: number) {
  const [state, setState] = useState({ liked: false, likesCount: initialCount });
  const [isBusy, setIsBusy] = useState(false);
  const wasTouched = useRef(false);

  useEffect(() => {
    const gone = new AbortController();
    fetchLikeStatus(slug, gone.signal).then(
      (status) => {
        if (!gone.signal.aborted && !wasTouched.current) setState(status);
      },
      (error: unknown) => {
        if (!gone.signal.aborted) console.warn("The like status is not known", error);
      },
    );
    return () => gone.abort();
  }, [slug]);

  const toggle = async () => {
    if (isBusy) return;
    wasTouched.current = true;
    setIsBusy(true);
    try {
      await changeLike(slug, state, setState);
    } catch (error) {
      console.warn("Liking failed", error);
      toast.error(messages.likeFailed);
    } finally {
      setIsBusy(false);
    }
  };

  return { ...state, isBusy, toggle };
}
