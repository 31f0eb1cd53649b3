// The OAuth library warns of Node.js 20 in every suite that loads it; the project tests on that line on purpose. Issuers that a test
// starts keep everything in memory, of which it warns too.
const warn = console.warn;
console.warn = (...parts) => {
  if (!/oidc-provider WARNING: .*(Unsupported runtime|quick start)/.test(String(parts[0]))) warn(...parts);
};

// The same of the client for S3, which says it through the process.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
