/**
 * The channel between the platform and this house's own agent. Both interfaces stand in the agent's
 * introspection; a device that does not announce them never gets a command.
 */
export const agentInterfaces = [
  { name: 'io.longreach.agent.sub', major: 1, minor: 0 },
  { name: 'io.longreach.agent.pub', major: 1, minor: 0 },
] as const
const [commands, reports] = agentInterfaces

/** Whether the interfaces that a device announces have the channel in a version that is spoken here. */
export const announcesAgent = (interfaces: readonly { name: string; major: number }[]) =>
  agentInterfaces.every(({ name, major }) =>
    interfaces.some((one) => one.name === name && one.major === major),
  )

/** Below a device's base topic; every payload is `{v: <JSON text>}`. */
export const agentTopics = {
  command: `/${commands.name}/command`,
  answer: `/${reports.name}/answer`,
  health: `/${reports.name}/health`,
} as const
