import { runPlant } from './plant-options.ts'
import { startPumps } from './plant-pumps-server.ts'

await runPlant(startPumps)
