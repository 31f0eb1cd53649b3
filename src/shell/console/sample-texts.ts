/** What `dev:seed` writes: a small shop whose team plans guest checkout. */

export const PROJECT = {
  name: 'Corner Shop',
  description: 'Sample data: a small web shop. Delete this project whenever you like.',
};

export const PLAN_FIRST = `# Guest checkout

## Why

Four in ten visitors leave at the sign-in page. They want to pay, not to make an account.

## What changes

1. The cart leads straight to the address form.
2. An account is offered **after** the payment, with one field: a password.
3. Orders of guests are found again by order number and e-mail.

| Step | Today | Afterwards |
|---|---|---|
| Cart to payment | 5 pages | 3 pages |
| Fields to fill | 14 | 9 |

## Risks

- Guests who order twice have two histories. We join them when an account is made.
- Fraud checks know less about a guest. The limit for a first order stays at 200 €.

## Rollout

Behind a flag, 10 % of visitors for a week, then all.
`;

export const PLAN_SECOND = `${PLAN_FIRST.replace(
  'Behind a flag, 10 % of visitors for a week, then all.',
  'Behind a flag: staff for two days, 10 % of visitors for a week, then all. The flag goes when the last order of the old flow is delivered.',
)}
## How we know that it worked

The share of carts that are paid rises from 58 % to at least 65 %, and refunds stay below 2 %.
`;

export const REMARKS = [
  {
    quote: 'Orders of guests are found again by order number and e-mail.',
    body: 'How many tries before we slow somebody down who guesses numbers?',
  },
  {
    quote: 'The limit for a first order stays at 200 €.',
    body: 'Support asked for 300 € at Christmas. Worth a setting?',
  },
] as const;

export const SUGGESTION = {
  quote: 'They want to pay, not to make an account.',
  replacement: 'They came to buy something, not to make an account.',
  body: 'A bit friendlier.',
} as const;

export const NOTE_OF_CHANGES =
  'Nearly there. Please say how we measure success, and what happens to the flag.';

export const APPROVED_PLAN = `# Search that forgives typing mistakes

Visitors who write *cofee* find coffee.

- Trigrams in PostgreSQL, no new server.
- The three nearest words are offered below the field.
- Measured: 40 ms at the 95th percentile with 20,000 products.
`;

export const CARDS = [
  {
    title: 'Address form without an account',

    body: 'The cart leads here. See the plan for the fields.',
  },
  { title: 'Offer an account after the payment', body: '' },
  {
    title: 'Order page by number and e-mail',

    body: 'Ten tries an hour for one address.',
  },
  { title: 'Join the histories of a guest', body: '' },
  { title: 'Typing mistakes in the search', body: 'Done with trigrams.' },
] as const;

export const PROTOTYPE = {
  name: 'Checkout prototype',
  description: 'The address form of the plan, to click.',
  files: {
    'index.html': `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
  <p class="step">Step 1 of 3</p>
  <h1>Where should it go?</h1>
  <form>
    <label>E-mail <input type="email" autocomplete="email" required></label>
    <label>Name <input autocomplete="name" required></label>
    <label>Street and number <input autocomplete="street-address" required></label>
    <div class="pair">
      <label>Postcode <input autocomplete="postal-code" required></label>
      <label>Town <input autocomplete="address-level2" required></label>
    </div>
    <button>Continue to payment</button>
    <p class="hint">No account needed. You can make one after the payment.</p>
  </form>
</main>
<script src="app.js"></script>
</body>
</html>
`,
    'style.css': `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; }
main { width: min(26rem, 100% - 2rem); }
.step, .hint { color: GrayText; font-size: .875rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; }
form { display: grid; gap: .75rem; }
label { display: grid; gap: .25rem; font-weight: 500; }
input { font: inherit; padding: .5rem .625rem; border: 1px solid GrayText; border-radius: .375rem; min-width: 0; }
.pair { display: grid; grid-template-columns: 1fr 2fr; gap: .75rem; }
button { font: inherit; font-weight: 600; padding: .625rem; border: 0; border-radius: .375rem; background: #2f6b4f; color: #fff; }
`,
    'app.js': `document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  document.querySelector('.step').textContent = 'Step 2 of 3';
  document.querySelector('h1').textContent = 'How would you like to pay?';
});
`,
  },
} as const;
