const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** True if the connection to the portal is not encrypted, which the agent accepts only with an option. */
const isPlain = (origin: string) => {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !loopback.test(hostname)
}

/** The command that starts the gateway's agent with a device's activation key. */
export const agentCommand = (activationKey: string, origin: string) =>
  `npm run edge -- --activation-key ${activationKey} --endpoint ${origin}${isPlain(origin) ? ' --plain-http' : ''}`

/** The lines of the agent's file that say where the portal is. */
export const endpointLines = (origin: string) =>
  `endpoint: ${origin}${isPlain(origin) ? '\nplainHttp: true' : ''}`
