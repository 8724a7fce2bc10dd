import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { toWireContract } from './wire-calls.ts'

/**
 * Replaces each service's contract by what a call needs at run time: method, path, and where an answer
 * has times. The schemas are more than a third of a first page's scripts, and the server has already
 * checked what it answers. Tests and `npm run dev` keep the schemas, so that a wrong answer is found there.
 */
export function wireContracts(): Plugin {
  return {
    name: 'wire-contracts',
    enforce: 'pre',
    apply: 'build',
    async load(id) {
      if (!/\/services\/[\w-]+\/src\/contract\.ts$/.test(id)) return undefined
      const exported = (await import(pathToFileURL(id).href)) as Record<string, unknown>
      return Object.entries(exported)
        .filter(([name]) => name.endsWith('Contract'))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(toWireContract(value))}`)
        .join('\n')
    },
  }
}
