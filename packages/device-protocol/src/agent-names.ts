/**
 * Interfaces of the channel between the platform and the gateway agent. A device that does not
 * announce both never gets a command.
 */
export const agentInterfaces = [
  { name: 'io.longreach.agent.sub', major: 1, minor: 0 },
  { name: 'io.longreach.agent.pub', major: 1, minor: 0 },
] as const
const [commands, reports] = agentInterfaces

/** True when the announced interfaces include the agent channel in a supported version. */
export const announcesAgent = (interfaces: readonly { name: string; major: number }[]) =>
  agentInterfaces.every(({ name, major }) =>
    interfaces.some((one) => one.name === name && one.major === major),
  )

/** Topics below a device's base topic; every payload is `{v: <JSON text>}`. */
export const agentTopics = {
  command: `/${commands.name}/command`,
  answer: `/${reports.name}/answer`,
  health: `/${reports.name}/health`,
} as const
