import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { formulas } from '../formulas/part.ts'
import { queries } from '../queries/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { valuesContract } from './contract.ts'
import { createIngest, defaultWindow } from './ingest.ts'
import { tagHandlers } from './tag-handlers.ts'

export const values = definePart<PlatformDeps>()({
  name: 'values',
  contract: valuesContract,
  uses: [telemetry, devices, queries, formulas],
  state: ({ now, log, used }) => {
    const { heard } = used.devices.deviceLog
    const { valueListeners: listeners, durableListeners } = used.devices
    const store = used.telemetry.open
    const told = { listeners, durableListeners, heard, log }
    const ingest = createIngest({ store, now, window: defaultWindow, ...told })
    return { ingest, close: () => ingest.settled() }
  },
  handlers: (deps) => {
    const { devices: known, telemetry: store } = deps.used
    return tagHandlers({ ...known, telemetry: store.open }, deps)
  },
})
