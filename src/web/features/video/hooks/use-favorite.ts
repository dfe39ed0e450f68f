import { useEffect, useRef, useState } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { fetchFavorite, setFavorite } from "#web/lib/api/visitor-marks.ts";
import { videoPageMessages as messages } from "../messages.ts";

/** Returns whether the video is among this visitor's favorites, and a function that changes it. */
export function useFavorite(slug: string) {
  const [isSaved, setIsSaved] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const wasTouched = useRef(false);

  useEffect(() => {
    const gone = new AbortController();
    fetchFavorite(slug, gone.signal).then(
      (isFavorite) => {
        if (!gone.signal.aborted && !wasTouched.current) setIsSaved(isFavorite);
      },
      (error: unknown) => {
        if (!gone.signal.aborted) console.warn("The favorite status is not known", error);
      },
    );
    return () => gone.abort();
  }, [slug]);

  const toggle = async () => {
    if (isBusy) return;
    // The initial status may still arrive and is then outdated.
    wasTouched.current = true;
    const before = isSaved;
    setIsBusy(true);
    setIsSaved(!before);
    try {
      const after = await setFavorite(slug, !before);
      setIsSaved(after);
      toast.success(after ? messages.savedToast : messages.unsavedToast);
    } catch (error) {
      console.warn("Saving failed", error);
      setIsSaved(before);
      toast.error(messages.saveFailed);
    } finally {
      setIsBusy(false);
    }
  };

  return { isSaved, isBusy, toggle };
}
