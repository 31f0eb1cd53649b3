import type { LucideIcon } from 'lucide-react';
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from './icon';

export interface MenuProps {
  /** The button that opens it; it must take a ref and pass on its props. */
  readonly trigger: ReactNode;
  readonly label?: string;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
  readonly size?: 'lg';
  readonly children: ReactNode;
}

/** A list of things to do. Arrows, Home, End, first letters and Escape work as everywhere. */
export function Menu({ trigger, label, align = 'start', side = 'bottom', size, children }: MenuProps) {
  return (
    // Not modal: the modal kind writes a style element into the page, which the policy of the pages refuses.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          data-size={size}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          loop
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  readonly icon?: LucideIcon;
  readonly onSelect?: () => void;
  readonly to?: string;
  /** `to` is a page that the server makes, not one of the app. */
  readonly outside?: boolean;
  /** One line below, such as the reason why it does not fit now. */
  readonly note?: ReactNode;
  readonly disabled?: boolean;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

export function MenuItem({ icon, onSelect, to, outside, note, disabled, end, children }: MenuItemProps) {
  const inside = (
    <>
      {icon && <Icon icon={icon} />}
      <span>
        {children}
        {note && <small>{note}</small>}
      </span>
      {end}
    </>
  );
  if (to !== undefined) {
    return (
      <DropdownMenu.Item className="menu__item" asChild disabled={disabled} onSelect={onSelect}>
        <Link to={to} reloadDocument={outside}>
          {inside}
        </Link>
      </DropdownMenu.Item>
    );
  }
  return (
    <DropdownMenu.Item className="menu__item" disabled={disabled} onSelect={onSelect}>
      {inside}
    </DropdownMenu.Item>
  );
}

export interface MenuChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string; readonly icon?: LucideIcon }[];
}

/** One of several, inside a menu. */
export function MenuChoice({ label, value, onChange, options }: MenuChoiceProps) {
  return (
    <DropdownMenu.Group>
      <DropdownMenu.Label className="menu__label">{label}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <DropdownMenu.RadioItem key={option.value} className="menu__item" value={option.value}>
            {option.icon && <Icon icon={option.icon} />}
            <span>{option.label}</span>
            <DropdownMenu.ItemIndicator className="push">
              <Icon icon={Check} />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </DropdownMenu.Group>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu__line" />;
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="menu__label">{children}</DropdownMenu.Label>;
}
