import { spawnSync } from 'node:child_process'

const sources = ['packages', 'services', 'apps', 'e2e', 'bench', 'scripts']
process.exit(spawnSync('oxfmt', sources, { stdio: 'inherit' }).status ?? 1)
