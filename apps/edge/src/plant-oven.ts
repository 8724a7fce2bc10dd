import { runPlant } from './plant-options.ts'
import { startOven } from './plant-oven-server.ts'

await runPlant(startOven)
