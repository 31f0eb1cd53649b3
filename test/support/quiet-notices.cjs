// The OAuth library warns of Node.js 20 in every suite that loads it; the project tests on that line on purpose.
const warn = console.warn;
console.warn = (...parts) => {
  if (!String(parts[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...parts);
};
