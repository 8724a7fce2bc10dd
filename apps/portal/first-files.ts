import type { HtmlTagDescriptor, Plugin } from 'vite'

/**
 * Modules that every visitor needs, in the order in which they are asked for: the session is looked up with the first,
 * while what draws the page is loading.
 */
const first = ['/keycloak-js/lib/keycloak.js', '/src/app/start/draw.tsx']

/** Names in the page what it will ask for, so that nothing of that waits for another file first. */
export function firstFiles(): Plugin {
  return {
    name: 'first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const needed = new Map<string, HtmlTagDescriptor>()
        const need = (file: string) => {
          const chunk = bundle[file]
          if (needed.has(file) || chunk?.type !== 'chunk' || html.includes(file)) return
          needed.set(file, link('modulepreload', file))
          for (const style of chunk.viteMetadata?.importedCss ?? [])
            needed.set(style, link('preload', style, 'style'))
          chunk.imports.forEach(need)
        }
        for (const module of first) {
          const found = Object.entries(bundle).find(
            ([, chunk]) =>
              chunk.type === 'chunk' && chunk.moduleIds.some((id) => id.endsWith(module)),
          )
          if (found === undefined) throw new Error(`No file of the build has ${module}`)
          need(found[0])
        }
        return [...needed.values(), link('preload', 'portal-settings.json', 'fetch')]
      },
    },
  }
}

const link = (rel: string, file: string, as?: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, ...(as !== undefined && { as }), crossorigin: true, href: `/${file}` },
  injectTo: 'head',
})
