import { useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { fetchLikeStatus, toggleLike } from "#web/lib/api/visitor-marks.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("video");

interface LikeState {
  isLiked: boolean;
  count: number;
}

/**
 * Updates optimistically: the count changes by one immediately, then becomes the server's count. A
 * failure restores it. The page is the same for all visitors, so this visitor's like is fetched
 * afterwards.
 */
export function useLike(slug: string, initialCount: number) {
  const [state, setState] = useState<LikeState>({ isLiked: false, count: initialCount });
  const [isBusy, setIsBusy] = useState(false);
  const wasTouched = useRef(false);

  useEffect(() => {
    const gone = new AbortController();
    fetchLikeStatus(slug, gone.signal).then(
      (status) => {
        if (gone.signal.aborted || wasTouched.current) return;
        setState({ isLiked: status.liked, count: status.likesCount });
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
    const before = state;
    setIsBusy(true);
    setState({
      isLiked: !before.isLiked,
      count: Math.max(0, before.count + (before.isLiked ? -1 : 1)),
    });
    try {
      const status = await toggleLike(slug);
      setState({ isLiked: status.liked, count: status.likesCount });
    } catch (error) {
      console.warn("Liking failed", error);
      setState(before);
      toast.error(messages.likeFailed);
    } finally {
      setIsBusy(false);
    }
  };

  return { ...state, isBusy, toggle };
}
