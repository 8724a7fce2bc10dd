import type { Plugin } from 'vite'

/** Line of the bundler's loader that makes the link of a file which a later one needs. */
const made = 'link.crossOrigin = "";'

/**
 * Lets calls go before files that are loaded ahead. Over HTTP/1.1 a browser has six connections to the server: without
 * a priority the call for the session's token waits until some twenty small files have come.
 */
export const preloadsBehindCalls = (): Plugin => ({
  name: 'preloads-behind-calls',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('vite/preload-helper')) return undefined
    if (!code.includes(made)) throw new Error('The bundler makes links of files in another way now')
    return code.replace(made, `${made} if (!isCss) link.fetchPriority = "low";`)
  },
})
