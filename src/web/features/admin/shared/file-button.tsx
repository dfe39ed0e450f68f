import { useRef, type ComponentProps } from "react";
import { Button } from "#web/components/ui/button.tsx";

/** Button that lets the user choose a file. The same file can be chosen again. */
export function FileButton({
  label,
  accept,
  onFile,
  children = label,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick"> & {
  label: string;
  accept: string;
  onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) onFile(file);
          target.value = "";
        }}
      />
    </>
  );
}
