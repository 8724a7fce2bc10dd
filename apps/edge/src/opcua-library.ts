import path from 'node:path'
import type * as Client from 'node-opcua-client'
import type * as Server from 'node-opcua-server'

export type OpcuaClientLibrary = typeof Client
export type OpcuaServerLibrary = typeof Server

/**
 * The OPC UA libraries, loaded when they are needed: they take most of a second. They keep their own
 * key and certificate in the user's configuration folder, unless that is elsewhere while they load.
 */
async function loadBelow<T>(dataDir: string, load: () => Promise<T>): Promise<T> {
  const before = process.env['XDG_CONFIG_HOME']
  process.env['XDG_CONFIG_HOME'] = path.join(dataDir, 'pki')
  try {
    return await load()
  } finally {
    if (before === undefined) delete process.env['XDG_CONFIG_HOME']
    else process.env['XDG_CONFIG_HOME'] = before
  }
}

/** The client library, with its key below `dataDir`; `tell` gets what it would print on the console. */
export async function opcuaClient(dataDir: string, tell: (message: string) => void) {
  const library: OpcuaClientLibrary = await loadBelow(dataDir, () => import('node-opcua-client'))
  const write = (...parts: unknown[]) => tell(parts.map(String).join(' '))
  library.setDebugLogger(write)
  library.setWarningLogger(write)
  library.setErrorLogger(write)
  return library
}

export const opcuaServer = (dataDir: string): Promise<OpcuaServerLibrary> =>
  loadBelow(dataDir, () => import('node-opcua-server'))
