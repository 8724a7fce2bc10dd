import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const barrels: Record<string, string> = {
  '@mantine/core': resolve(dirname(require.resolve('@mantine/core')), '../esm/index.mjs'),
  '@mantine/hooks': resolve(dirname(require.resolve('@mantine/hooks')), '../esm/index.mjs'),
  '@tabler/icons-react': resolve(
    dirname(require.resolve('@tabler/icons-react')),
    '../esm/tabler-icons-react.mjs',
  ),
}

/**
 * Turns `import { A } from '@mantine/core'` into an import of the file that defines A.
 * The bundler puts everything reachable through a barrel into the entry chunk, lazy pages included.
 */
export function deepImports(): Plugin {
  const homes = new Map<string, Map<string, string>>()
  return {
    name: 'deep-imports',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      const ours = /\.tsx?$/.test(id) && !id.includes('node_modules')
      // Its components import the hooks through a barrel too.
      if (!ours && !id.includes('/@mantine/core/esm/')) return undefined
      const changed = code.replace(
        /import \{([^}]+)\} from ['"](@mantine\/core|@mantine\/hooks|@tabler\/icons-react)['"]/g,
        (whole, names: string, barrel: string) => {
          const home = homes.get(barrel) ?? readBarrel(barrels[barrel] ?? '')
          homes.set(barrel, home)
          return rewrite(names, home) ?? whole
        },
      )
      return changed === code ? undefined : { code: changed, map: null }
    },
  }
}

function rewrite(names: string, home: Map<string, string>) {
  const lines = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [imported = '', local = imported] = name.split(' as ')
      const file = home.get(imported)
      return file && importLine(imported, local, file)
    })
  return lines.includes(undefined) ? undefined : lines.join(';')
}

const importLine = (imported: string, local: string, file: string) => {
  const [path = '', kind] = file.split('#')
  return kind === 'default'
    ? `import ${local} from '${path}'`
    : `import { ${imported} as ${local} } from '${path}'`
}

/** Name to file for the flat barrels of both packages; `#default` marks a default export. */
function readBarrel(file: string) {
  const source = readFileSync(file, 'utf8')
  const home = new Map<string, string>()
  for (const [, names = '', from = ''] of source.matchAll(
    /(?:import|export) ?\{([^}]+)\} ?from ?["'](\.[^"']+)["']/g,
  )) {
    const path = resolve(dirname(file), from)
    if (!existsSync(path)) continue
    for (const name of names.split(',')) {
      const [inner = '', outer = inner] = name.trim().split(' as ')
      if (outer !== '') home.set(outer, inner === 'default' ? `${path}#default` : path)
    }
  }
  return home
}
