import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { Icon } from './icon';

interface Looks {
  readonly variant?: 'primary' | 'ghost' | 'danger' | 'danger-solid';
  readonly size?: 'sm' | 'lg';
  readonly icon?: LucideIcon;
  /** On a phone only the icon stays to be seen. */
  readonly narrow?: 'icon';
  readonly wide?: boolean;
}

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled'>, Looks {
  /** Why it cannot be pressed now. The button stays reachable and says so. */
  readonly disabledReason?: string | null;
  /** The work runs; further presses are ignored and the words stay. */
  readonly busy?: boolean;
}

/** A verb. One primary button a page. */
export function Button({
  variant,
  size,
  icon,
  narrow,
  wide,
  disabledReason,
  busy,
  className,
  children,
  onClick,
  type = 'button',
  title,
  ...rest
}: ButtonProps) {
  const blocked = Boolean(disabledReason) || busy === true;
  return (
    <button
      {...rest}
      type={type}
      className={className ? `btn ${className}` : 'btn'}
      data-variant={variant}
      data-size={size}
      data-narrow={narrow}
      data-wide={wide || undefined}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      title={disabledReason ?? title}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        if (blocked) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon icon={icon} />}
      {narrow === 'icon' ? <span>{children}</span> : children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children' | 'disabled'> {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'sm';
  readonly children?: ReactNode;
}

/** A ghost button with an icon alone; its label is its name and its tip. */
export function IconButton({ label, icon, size, type = 'button', children, ...rest }: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      className={rest.className ? `btn ${rest.className}` : 'btn'}
      data-icon=""
      data-variant="ghost"
      data-size={size}
      aria-label={label}
    >
      <Icon icon={icon} />
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends Omit<LinkProps, 'className'>, Looks {}

/** A link that looks like a button: it goes somewhere and does nothing else. */
export function ButtonLink({ variant, size, icon, narrow, wide, children, ...rest }: ButtonLinkProps) {
  return (
    <Link
      {...rest}
      className="btn"
      data-variant={variant}
      data-size={size}
      data-narrow={narrow}
      data-wide={wide || undefined}
    >
      {icon && <Icon icon={icon} />}
      {narrow === 'icon' ? <span>{children}</span> : children}
    </Link>
  );
}
