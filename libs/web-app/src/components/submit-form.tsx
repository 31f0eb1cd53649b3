import type { ComponentProps } from 'react';
import type { Submit } from './use-submit';

/** The form of a `useSubmit`. What is wrong is told by the server, in words, not by the browser's bubbles. */
export function SubmitForm({
  submit,
  ...rest
}: { readonly submit: Submit<unknown> } & Omit<ComponentProps<'form'>, 'ref' | 'noValidate' | 'onSubmit'>) {
  return (
    <form
      {...rest}
      ref={submit.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit.run();
      }}
    />
  );
}
