import { writeFile } from 'node:fs/promises'
import { capacityDocument } from './capacity-document.ts'

await writeFile('docs/operate/capacity.md', capacityDocument())
