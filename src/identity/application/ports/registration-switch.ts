import type { Actor } from '#libs/kernel/actor.js';

/** The flag `registration.enabled`, which the installer writes. */
export abstract class RegistrationSwitch {
  /** Within the running unit of work. `actor` is an admin. */
  abstract set(actor: Actor, enabled: boolean): Promise<void>;
}
