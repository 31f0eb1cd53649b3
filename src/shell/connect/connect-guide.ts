import { Configuration } from '#libs/configuration/configuration.js';
import { isUuid } from '#libs/kernel/ids.js';

/** A way to connect beside the one that the page leads with. */
export interface OtherWay {
  readonly title: string;
  readonly note: string | null;
  readonly command: string;
}

/** The commands that connect an agent, for the Connect page and for `/setup.md`. All addresses come from `DEFAULT_URI`. */
export class ConnectGuide {
  constructor(private readonly configuration: Configuration) {}

  /** What the page leads with. */
  get command(): string {
    return `claude mcp add --transport http loupe ${this.address}`;
  }

  /** For an agent that sets itself up. */
  setupPrompt(projectId: string): string {
    return [
      'Set up Loupe for this repository. Run',
      `curl -fsSL "${this.configuration.url(`/setup.md?project=${projectId}`)}"`,
      'and follow the steps it prints, in order. Use curl, not a web fetch tool.',
    ].join('\n');
  }

  get otherWays(): OtherWay[] {
    const server = JSON.stringify({ mcpServers: { loupe: { type: 'http', url: this.address } } }, null, 2);
    return [
      {
        title: 'Claude Code, for all your repositories',
        note: 'Each sign-in is for the one project that you choose on the consent page.',
        command: `claude mcp add --transport http --scope user loupe ${this.address}`,
      },
      {
        title: 'A file in the repository, for everybody who works in it',
        note: 'Save it as .mcp.json. It holds no secret: each person signs in.',
        command: server,
      },
      {
        title: 'VS Code',
        note: null,
        command: `code --add-mcp '${JSON.stringify({ name: 'loupe', type: 'http', url: this.address })}'`,
      },
      {
        title: 'A custom connector, or any other client',
        note: 'Give it this address. Connectors that run on a vendor’s servers need an instance that is reachable over https. The client must know OAuth with Client ID Metadata Documents.',
        command: this.address,
      },
    ];
  }

  /** `/setup.md`: the project is named only when it is an id, and is not looked up. */
  setupDocument(project: unknown): string {
    const id = isUuid(project) ? project.toLowerCase() : null;
    const init = id ? `loupe init --project ${id}` : 'loupe init';
    const chosen = id
      ? `choose the project ${id} (its address is ${this.configuration.url(`/projects/${id}`)})`
      : 'choose the project that this repository belongs to';
    return `# Set up Loupe in this repository

These steps are for a coding agent. Do them in order. Never write a token or a password into a file, a command or a message.

1. If this machine runs Windows without WSL, stop and say that Loupe is set up from Linux, macOS or WSL.
2. Run \`loupe version\`. If it answers, run \`${init}\`, follow what it prints, and go on with step 5. If the command is not found, go on with step 3.
3. Add the MCP server of Loupe to the agent that runs here. For Claude Code:

   \`\`\`sh
   ${this.command}
   \`\`\`

   For another agent, add a server named \`loupe\` with the transport "streamable HTTP" and the address \`${this.address}\` in the way of that agent.
4. Ask the person to sign in: the agent opens a page of Loupe in the browser. There they ${chosen} and press Allow. In Claude Code the person types \`/mcp\` and picks "loupe" to start this.
5. Ask the person to restart the agent when its tools do not show up at once.
6. In the new session call \`project_current\` and tell the person the name of the project it answers.
`;
  }

  private get address(): string {
    return this.configuration.url('/mcp');
  }
}
