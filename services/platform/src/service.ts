import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from './contract.ts'
import type { PairingDb } from './pairing-tables.ts'
import type { PlatformDb } from './device-state-store.ts'
import { forPairing, pairingHandlers } from './pairing-handlers.ts'
import { mountPairing } from './pairing-routes.ts'
import { platformConsumers } from './platform-consumers.ts'
import { platformHandlers } from './platform-handlers.ts'
import { mountLive } from './live-socket.ts'
import { startMqtt } from './mqtt-service.ts'
import { forViews, viewHandlers } from './views/view-handlers.ts'
import { defaultTimings, runtimeOf, type Timings } from './runtime.ts'

/** The platform with other times than usual, as tests of waiting need them. */
export const platformWith = (timings: Partial<Timings>) =>
  defineService<PlatformDb & PairingDb>()({
    contract: platformContract,
    needs: { core: coreContract, mappings: mappingsContract },
    migrations: new URL('migrations/', import.meta.url),
    handlers: (deps) => ({
      ...platformHandlers(runtimeOf(deps, { ...defaultTimings, ...timings }), deps),
      ...pairingHandlers(forPairing(deps)),
      ...viewHandlers(forViews(deps)),
    }),
    consumers: (deps) => platformConsumers(runtimeOf(deps), deps),
    mount: async (app, deps) => {
      await mountPairing(app, forPairing(deps))
      const runtime = runtimeOf(deps)
      mountLive(app, deps, runtime)
      app.addHook('onClose', () => runtime.close())
    },
    start: (deps) => startMqtt(deps, runtimeOf(deps)),
  })

export const platform = platformWith({})
