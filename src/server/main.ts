import { readProcessArguments } from "./lib/command-line.mjs";
import { startServer } from "./start-server.ts";

readProcessArguments({
  name: "node src/server/main.ts",
  summary: "Starts the site without setting anything up. Use npm start to set it up too.",
  examples: ["PORT=8080 node src/server/main.ts"],
});
await startServer();
