import { adoptStorage } from "../open-storage.ts";
import { say } from "../processes/say.ts";
import { UsageError, withDatabase, type Command } from "./command.ts";

const names = { disk: "DATA_DIR", s3: "the bucket" };

/** `storage adopt`: the storage that is configured belongs to this database. */
export const storage: Command = async (config, [action, ...rest]) => {
  if (action !== "adopt" || rest.length > 0) {
    throw new UsageError("storage needs an action: adopt.");
  }
  const options = { isMigrated: false, maxConnections: 1 };
  const kind = await withDatabase(config, options, ({ db }) => adoptStorage(config, db));
  say(`The media of this site are in ${names[kind]}.`);
};
