import path from 'node:path'
import type * as Client from 'node-opcua-client'
import type { OPCUACertificateManager } from 'node-opcua-certificate-manager'
import type * as Server from 'node-opcua-server'

export type OpcuaClientLibrary = typeof Client
type OpcuaServerLibrary = typeof Server

/** The client library, loaded when it is needed: it takes most of a second. `tell` gets what it would print. */
export async function opcuaClient(tell: (message: string) => void): Promise<OpcuaClientLibrary> {
  const library = await import('node-opcua-client')
  const write = (...parts: unknown[]) => tell(parts.map(String).join(' '))
  library.setDebugLogger(write)
  library.setWarningLogger(write)
  library.setErrorLogger(write)
  return library
}

export const opcuaServer = (): Promise<OpcuaServerLibrary> => import('node-opcua-server')

const stores = new Map<string, Promise<OPCUACertificateManager>>()

/**
 * The key, certificate and trusted servers of one agent, below its own data folder: without a store of
 * their own the libraries keep them in the configuration folder of the system's user, for all programs.
 */
export function certificateStore(dataDir: string, name = 'pki'): Promise<OPCUACertificateManager> {
  const rootFolder = path.resolve(dataDir, name)
  const known = stores.get(rootFolder)
  if (known) return known
  const made = openStore(rootFolder)
  stores.set(rootFolder, made)
  made.catch(() => stores.delete(rootFolder)) // who asked is told; the next one tries again
  return made
}

async function openStore(rootFolder: string) {
  const library = await import('node-opcua-certificate-manager')
  const store = new library.OPCUACertificateManager({
    rootFolder,
    automaticallyAcceptUnknownCertificate: false,
    disableFileWatchers: true,
  })
  await store.initialize()
  store.referenceCounter += 1 // kept open for the clients to come
  return store
}
