import { ovenAgent } from './demo-agents.ts'
import { startOven } from './plant-oven-server.ts'
import { type AgentSettings, checkSettings } from './settings.ts'

/** Starts a simulated oven line for the program's lifetime; returns the settings that read it. */
export async function withSimulation(settings: AgentSettings): Promise<AgentSettings> {
  const seed = Date.now() % 1_000_000
  const { port } = await startOven({ port: 0, host: '127.0.0.1', seed, speed: 1 })
  const { sources } = checkSettings(ovenAgent(settings, port))
  return { ...settings, sources }
}
