import { coreContract } from '@longreach/core/contract'
import { jobHandlers } from '@longreach/kit/jobs'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from '@longreach/mappings/contract'
import { mountRelease } from './releases/agent-release.ts'
import { makeReleaseKey } from './releases/release-key.ts'
import { platformContract } from './contract.ts'
import { exportHandlers } from './exports/export-handlers.ts'
import { exportJob } from './exports/export-job.ts'
import { forPairing, pairingHandlers } from './pairing/pairing-handlers.ts'
import { mountPairing } from './pairing/pairing-routes.ts'
import { platformConsumers } from './platform-consumers.ts'
import { platformHandlers } from './platform-handlers.ts'
import { mountLive } from './live/live-socket.ts'
import { startMqtt } from './mqtt/mqtt-service.ts'
import { forStorage } from './storage/storage-service.ts'
import { startRetention } from './storage/retention-run.ts'
import { storageHandlers } from './storage/storage-handlers.ts'
import { valueSearchHandlers } from './queries/value-search.ts'
import { forViews, viewHandlers } from './views/view-handlers.ts'
import { startTidying } from './tidying.ts'
import { defaultTimings, runtimeOf, type ServiceDb, type Timings } from './runtime.ts'

/** The platform with other times than usual, as tests of waiting need them. */
export const platformWith = (timings: Partial<Timings>) =>
  defineService<ServiceDb>()({
    contract: platformContract,
    needs: { core: coreContract, mappings: mappingsContract },
    migrations: new URL('migrations/', import.meta.url),
    handlers: (deps) => ({
      ...platformHandlers(runtimeOf(deps, { ...defaultTimings, ...timings }), deps),
      ...pairingHandlers(forPairing(deps)),
      ...viewHandlers(forViews(deps)),
      ...valueSearchHandlers(runtimeOf(deps)),
      ...storageHandlers(forStorage(deps)),
      ...exportHandlers(deps),
      ...jobHandlers(deps, platformContract),
    }),
    jobs: [exportJob],
    consumers: (deps) => platformConsumers(runtimeOf(deps), deps),
    mount: async (app, deps) => {
      await makeReleaseKey(forPairing(deps))
      await mountPairing(app, forPairing(deps))
      mountRelease(app)
      const runtime = runtimeOf(deps)
      mountLive(app, deps, runtime)
      app.addHook('onClose', () => runtime.close())
    },
    start: async (deps) => {
      const mqtt = await startMqtt(deps, runtimeOf(deps))
      const retention = startRetention(forStorage(deps))
      const tidying = startTidying(deps)
      return {
        async close() {
          await retention.close()
          await tidying.close()
          await mqtt.close()
        },
      }
    },
  })

export const platform = platformWith({})
