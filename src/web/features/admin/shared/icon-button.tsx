import { PencilIcon, Trash2Icon, type LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";

/** Icon button with a target of 44 px. Shows its short name on hover and on focus. */
export function IconButton({
  Icon,
  iconClassName = "size-4",
  label,
  name = label,
  isDanger = false,
  className,
  ...rest
}: ComponentProps<"button"> & {
  Icon: LucideIcon;
  iconClassName?: string;
  label: string;
  name?: string;
  isDanger?: boolean;
}) {
  return (
    <Button
      kind="ghost"
      isSquare
      aria-label={label}
      data-name={name}
      className={classNames(
        "icon-name",
        isDanger && "hover:bg-danger-soft hover:text-danger-text",
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden="true" className={iconClassName} />
    </Button>
  );
}

/** Button in the row of a table. `of` is the name of the row. */
type RowButton = Pick<ComponentProps<"button">, "className" | "onClick"> & { of: string };

export const EditButton = ({ of, ...rest }: RowButton) => (
  <IconButton Icon={PencilIcon} name="Edit" label={`Edit ${of}`} {...rest} />
);

export const DeleteButton = ({ of, ...rest }: RowButton) => (
  <IconButton Icon={Trash2Icon} name="Delete" label={`Delete ${of}`} isDanger {...rest} />
);
