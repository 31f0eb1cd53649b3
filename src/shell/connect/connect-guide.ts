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

  /** Ways beside the command that the page leads with; the first one is that of the `loupe` program. */
  otherWays(projectId: string): OtherWay[] {
    const link = `loupe project link --project ${projectId}`;
    const server = JSON.stringify({ mcpServers: { loupe: { type: 'http', url: this.address } } }, null, 2);
    return [
      {
        title: 'The loupe command: one sign-in for the machine, the project from the repository',
        note: 'Needs Node.js 20.19 or newer. Run the last line in each repository; it also adds Loupe to Claude Code.',
        command: `${this.installCommand}\nloupe login --url ${this.instance}\n${link} --mcp`,
      },
      {
        title: 'Claude Code with the loupe command, for all your repositories',
        note: 'After loupe login. It acts on the project that the repository names in .loupe.yaml.',
        command: 'claude mcp add --scope user loupe -- loupe mcp',
      },
      {
        title: 'Claude Code by the address, for all your repositories',
        note: 'Each sign-in is for the one project that you choose on the consent page.',
        command: `claude mcp add --transport http --scope user loupe ${this.address}`,
      },
      {
        title: 'A file in the repository, with the loupe command',
        note: 'Writes .mcp.json for everybody who works in the repository. It holds no secret: each person signs in.',
        command: `${link} --mcp-json`,
      },
      {
        title: 'A file in the repository, by the address',
        note: 'Save it as .mcp.json. It holds no secret: each person signs in.',
        command: server,
      },
      {
        title: 'Codex',
        note: 'After loupe login. Codex starts servers outside of the repository, so the project stands in the command.',
        command: `codex mcp add loupe -- loupe mcp --project ${projectId}`,
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
    const flag = id ? ` --project ${id}` : '';
    const choice = id
      ? `The project is ${id}; its page is ${this.configuration.url(`/projects/${id}`)}.`
      : 'When the sign-in covers several projects, the command ends with code 4 and lists them: ask the person which one this repository belongs to, and run it again with its id.';
    return `# Set up Loupe in this repository

These steps are for a coding agent. Do them in order. Never write a token or a password into a file, a command or a message. Ask the person when a step needs them.

1. If this machine runs Windows without WSL, stop and say that Loupe is set up from Linux, macOS or WSL.
2. Run \`loupe version\`. If the command is not found, install it, and follow what is printed about the PATH:

   \`\`\`sh
   ${this.installCommand}
   \`\`\`

   It needs Node.js 20.19 or newer. If that cannot be had here, go on with "Without the command" below.
3. Run \`loupe status --url ${this.instance}\`. If its line "Login" is not "ok", sign the machine in:

   \`\`\`sh
   loupe login --url ${this.instance} --json
   \`\`\`

   It prints one line of JSON and then waits up to 10 minutes. Show the person \`verificationUriComplete\` and \`userCode\`, and ask them to open the page and to press Allow.
4. In the top folder of the repository run:

   \`\`\`sh
   loupe project link${flag} --mcp
   \`\`\`

   It writes .loupe.yaml and .loupe/lifecycle.md, which are meant to be committed, and adds \`loupe mcp\` to Claude Code. ${choice}
5. If you are another agent than Claude Code, add an MCP server named \`loupe\` that runs \`loupe mcp\` in your own way; for Codex: \`codex mcp add loupe -- loupe mcp${flag}\`.
6. Run \`loupe status\`. Its last line must be "loupe status: PASS"; a line with FAIL names the next step.
7. Ask the person to restart the agent. In the new session call \`project_current\` and tell the person the name of the project it answers.

## Without the command

Add the MCP server by its address, for Claude Code with \`${this.command}\`, for another agent as a server named \`loupe\` with the transport "streamable HTTP" and the address \`${this.address}\`. The agent then opens a page of Loupe in the browser, where the person chooses the project and presses Allow; in Claude Code they type \`/mcp\` and pick "loupe" to start this. Then go on with step 7.
`;
  }

  /** Installs the command from this instance. */
  private get installCommand(): string {
    return `curl -fsSL ${this.instance}/install.sh | sh`;
  }

  /** Address of the instance without a slash at its end. */
  private get instance(): string {
    return this.configuration.url('/').replace(/\/$/, '');
  }

  private get address(): string {
    return this.configuration.url('/mcp');
  }
}
