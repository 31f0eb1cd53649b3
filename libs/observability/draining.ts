import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Whether this process still takes new requests; turned by the graceful stop. */
@Injectable()
export class Draining implements OnApplicationShutdown {
  active = false;

  onApplicationShutdown(): void {
    this.active = true;
  }
}
