import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { deviceConsumers } from './device-consumers.ts'

export const devices = definePart<AlarmsDeps>()({ name: 'devices', consumers: deviceConsumers })
