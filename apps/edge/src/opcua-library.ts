import path from 'node:path'
import type * as Client from 'node-opcua-client'
import type { OPCUACertificateManager } from 'node-opcua-certificate-manager'
import type * as Server from 'node-opcua-server'

export type OpcuaClientLibrary = typeof Client
type OpcuaServerLibrary = typeof Server

/**
 * Client library, loaded on first use because that takes almost a second. `tell` gets the lines
 * that it would print.
 */
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
 * Certificate store of one agent, below its data folder. By default the library shares one store in
 * the user's configuration folder between all programs.
 */
export function certificateStore(dataDir: string, name = 'pki'): Promise<OPCUACertificateManager> {
  const rootFolder = path.resolve(dataDir, name)
  const known = stores.get(rootFolder)
  if (known) return known
  const made = openStore(rootFolder)
  stores.set(rootFolder, made)
  made.catch(() => stores.delete(rootFolder)) // the caller gets the error; the next one tries again
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
  store.referenceCounter += 1 // kept open for later clients
  return store
}
