import { HeartIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Card } from "#web/components/ui/card.tsx";
import { ChipButton, ChipLink, RemovableChip } from "#web/components/ui/chip.tsx";
import { confirmAction, ConfirmHost } from "#web/components/ui/confirm-dialog.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { Pagination } from "#web/components/ui/pagination/pagination.tsx";
import { Select } from "#web/components/ui/select.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { EmptyState, ErrorState } from "#web/components/ui/states.tsx";
import { Tabs } from "#web/components/ui/tabs.tsx";
import { toast } from "#web/components/ui/toast.tsx";
import { KinoraMark } from "#web/components/ui/wordmark.tsx";
import { VideoGrid, VideoGridSkeleton } from "#web/components/video/video-grid.tsx";
import type { CardVideo } from "#web/lib/lists/card-video.ts";
import { ThemeSwitch } from "../layouts/theme-switch.tsx";

const steps = Array.from({ length: 12 }, (_, index) => `--color-ink-${index + 1}`);
const accents = [
  "lamp",
  "lamp-strong",
  "lamp-text",
  "lamp-soft",
  "danger",
  "danger-text",
  "danger-soft",
  "done",
  "done-text",
  "done-soft",
];

const sampleVideos: CardVideo[] = [
  {
    slug: "a",
    title: "A short title",
    thumbnail: null,
    previewUrl: null,
    durationS: 9,
    views: 999,
    likes: 1,
    isPremium: false,
    category: "Gradients",
    age: "3 days ago",
    why: null,
  },
  {
    slug: "b",
    title:
      "A title that goes on for so long that it has to be cut after its second line, between words",
    thumbnail: "/missing.webp",
    previewUrl: null,
    durationS: 754,
    views: 15_400,
    likes: 1200,
    isPremium: true,
    category: "Fractals",
    age: "3 days ago",
    why: null,
  },
  {
    slug: "c",
    title: "No category",
    thumbnail: null,
    previewUrl: null,
    durationS: 3725,
    views: 2_500_000,
    likes: 80_400,
    isPremium: false,
    category: null,
    age: "3 days ago",
    why: null,
  },
];

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line py-8">
      <h2 className="mb-4 text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

function Swatch({ name }: { name: string }) {
  return (
    <li className="w-24 text-xs text-ink-11">
      <span
        className="mb-1 block h-12 rounded-md border border-line"
        style={{ background: `var(${name})` }}
      />
      {name.replace("--color-", "")}
    </li>
  );
}

function Forms() {
  return (
    <div className="grid max-w-3xl gap-5 md:grid-cols-2">
      <TextField
        label="Title"
        required
        defaultValue="Seahorse valley"
        hint="At most 200 characters"
      />
      <TextField
        label="Email"
        type="email"
        error="Enter an email address"
        defaultValue="no address"
      />
      <SelectField
        label="Placement"
        options={[
          { value: "header", label: "Header" },
          { value: "footer", label: "Footer" },
        ]}
      />
      <SwitchField label="Published" hint="Make video visible to users" defaultChecked />
      <TextAreaField
        className="md:col-span-2"
        label="Description"
        defaultValue="Two lines, or more."
      />
    </div>
  );
}

function Layers() {
  const [isOpen, setIsOpen] = useState(false);
  const [sort, setSort] = useState<"newest" | "trending">("newest");
  return (
    <Row>
      <Button onClick={() => setIsOpen(true)}>Dialog</Button>
      <Button
        kind="danger"
        onClick={() =>
          void confirmAction("Are you sure you want to delete this?", {
            isDanger: true,
            confirmLabel: "Delete",
          })
        }
      >
        Confirm
      </Button>
      <Menu
        label="More"
        trigger="Menu"
        triggerClassName="field w-auto"
        entries={[
          { label: "Edit", onSelect: () => toast.info("Edit") },
          { label: "Delete", isDanger: true, onSelect: () => toast.error("Deleted") },
        ]}
      />
      <Select
        label="Sort"
        value={sort}
        options={[
          { value: "newest", label: "Newest" },
          { value: "trending", label: "Trending" },
        ]}
        onValue={setSort}
      />
      <Button onClick={() => toast.success("Video link copied to clipboard!")}>Green toast</Button>
      <Button onClick={() => toast.error("Failed to update like. Please try again.")}>
        Red toast
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Edit Video"
        description="Update video information and metadata"
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button kind="primary" onClick={() => setIsOpen(false)}>
              Update Video
            </Button>
          </>
        }
      >
        <Forms />
      </Dialog>
      <ConfirmHost />
    </Row>
  );
}

/** Every component of the design system on one page. Only in development. */
export function Component() {
  const [page, setPage] = useState(3);
  const [tab, setTab] = useState("one");
  const [isOn, setIsOn] = useState(true);
  return (
    <>
      <PageHeading title="Design system" intro="Every piece, in the current theme." />
      <Row>
        <KinoraMark className="size-16" />
        <KinoraMark isQuiet className="size-16 text-ink-8" />
        <ThemeSwitch />
      </Row>
      <Section title="Colour">
        <ul className="flex flex-wrap gap-3">
          {steps.map((name) => (
            <Swatch key={name} name={name} />
          ))}
        </ul>
        <ul className="mt-4 flex flex-wrap gap-3">
          {accents.map((name) => (
            <Swatch key={name} name={`--color-${name}`} />
          ))}
        </ul>
      </Section>
      <Section title="Type">
        {["text-2xl", "text-xl", "text-lg", "text-base", "text-sm", "text-xs"].map((size) => (
          <p key={size} className={size}>
            {size}: The wheel of pictures, turned by hand 0123456789
          </p>
        ))}
      </Section>
      <Section title="Buttons">
        {(["primary", "quiet", "ghost", "danger"] as const).map((kind) => (
          <Row key={kind}>
            <Button kind={kind} className="my-1">
              {kind}
            </Button>
            <Button kind={kind} size="small">
              small
            </Button>
            <Button kind={kind} disabled>
              disabled
            </Button>
            <Button kind={kind} isSquare aria-label="Like">
              <HeartIcon className="size-5" />
            </Button>
          </Row>
        ))}
      </Section>
      <Section title="Chips and badges">
        <Row>
          <ChipButton isActive={isOn} onClick={() => setIsOn(!isOn)}>
            Toggle
          </ChipButton>
          <ChipLink href="#chips">Link</ChipLink>
          <RemovableChip removeLabel="Remove filter" onRemove={() => undefined}>
            Teen
          </RemovableChip>
          <Badge>Draft</Badge>
          <Badge tone="done">Published</Badge>
          <Badge tone="lamp">Premium</Badge>
          <Badge tone="danger">Failed</Badge>
        </Row>
      </Section>
      <Section title="Fields">
        <Forms />
      </Section>
      <Section title="Layers and toasts">
        <Layers />
      </Section>
      <Section title="Tabs and pages">
        <Tabs
          label="Example"
          value={tab}
          onValue={setTab}
          tabs={[
            { value: "one", label: "One", content: "First" },
            { value: "two", label: "Two", content: "Second" },
          ]}
        />
        <div className="mt-6">
          <Pagination
            page={page}
            pageSize={10}
            total={95}
            noun="videos"
            maxButtons={5}
            onPage={setPage}
          />
        </div>
      </Section>
      <Section title="Cards">
        <Card>A raised ground.</Card>
      </Section>
      <Section title="Videos">
        <VideoGrid videos={sampleVideos} />
      </Section>
      <Section title="Waiting">
        <Spinner />
        <VideoGridSkeleton count={4} />
      </Section>
      <Section title="Nothing and failure">
        <EmptyState title="No videos found">What to do about it.</EmptyState>
        <ErrorState
          message="Failed to fetch videos: 503"
          retryLabel="Try Again"
          onRetry={() => undefined}
        />
      </Section>
    </>
  );
}
