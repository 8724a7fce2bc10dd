/** Part of the S7 library that is used here; it has no types. */
declare module 'nodes7' {
  type Connection = {
    host: string
    port: number
    rack: number
    slot: number
    timeout: number
    doNotOptimize?: boolean
    connection_name?: string
  }
  export default class NodeS7 {
    constructor(options?: { silent?: boolean; debug?: boolean })
    isoConnectionState: number
    initiateConnection(connection: Connection, done: (error?: unknown) => void): void
    dropConnection(done: () => void): void
    setTranslationCB(translate: (name: string) => string): void
    addItems(names: string | string[]): void
    removeItems(): void
    readAllItems(done: (bad: boolean, values: Record<string, unknown>) => void): void
    /** Returns 1 while another write runs. */
    writeItems(names: string[], values: unknown[], done: (bad: boolean) => void): 0 | 1
    findItem(name: string): { quality: unknown } | undefined
  }
}
