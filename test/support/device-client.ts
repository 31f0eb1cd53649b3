interface Started {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
  interval: number;
}

/** A program without a browser, which signs in by a device code (RFC 8628), as `loupe login` does. */
export class DeviceClient {
  private constructor(
    private readonly origin: string,
    private readonly started: Started,
  ) {}

  static async start(origin: string, deviceName: string): Promise<DeviceClient> {
    const response = await fetch(`${origin}/oauth/device-authorization`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'loupe-cli',
        scope: 'agent mcp projects',
        device_name: deviceName,
      }),
    });
    if (!response.ok) throw new Error(`No device code: ${response.status} ${await response.text()}`);
    return new DeviceClient(origin, (await response.json()) as Started);
  }

  get userCode(): string {
    return this.started.user_code;
  }

  get verificationUriComplete(): string {
    return this.started.verification_uri_complete;
  }

  /** One question for the tokens. */
  async ask(): Promise<{ status: number; body: Record<string, string> }> {
    const response = await fetch(`${this.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'loupe-cli',
        device_code: this.started.device_code,
      }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  /** Asks until the person has answered. */
  async poll(): Promise<{ access_token: string; refresh_token: string }> {
    for (let tries = 0; tries < 10; tries += 1) {
      const { status, body } = await this.ask();
      if (status === 200) return body as unknown as { access_token: string; refresh_token: string };
      if (body.error !== 'authorization_pending' && body.error !== 'slow_down')
        throw new Error(JSON.stringify(body));
      await new Promise((done) => setTimeout(done, this.started.interval * 1000));
    }
    throw new Error('The person did not answer.');
  }
}
