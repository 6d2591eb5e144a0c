import { fileURLToPath } from 'node:url';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Where the generators are installed: never among the packages of the project. */
export const toolsFolder = pathOf('../../cdk.out/clients/tools');

/** Where the generated clients are. */
export const clientsFolder = pathOf('../../cdk.out/clients/generated');

/** A file of this folder. */
export { pathOf };
