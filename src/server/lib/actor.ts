/** Who acts, and in which request: what the audit log records of every admin call. */
export interface Actor {
  /** The id is null where no user acts directly, as in a schedule whose author is deleted. */
  user: { id: string | null; email: string };
  requestId: string;
}
