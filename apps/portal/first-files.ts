import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Module that draws the page: every visitor needs it, so it loads while the session is looked up. */
const drawing = '/src/app/start/draw.tsx'

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
        for (const [file, chunk] of Object.entries(bundle))
          if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => id.endsWith(drawing)))
            need(file)
        if (needed.size === 0) throw new Error(`No file of the build begins with ${drawing}`)
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
