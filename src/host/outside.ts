/* Whether a run asked something besides the disk: the network, other programs, what a formatter looks for by itself. */

let asked = false;

/** Says that what the run makes depends on more than the disk of the project. */
export function noteOutside(): void {
  asked = true;
}

/** Whether anything has said so in this process. */
export const askedOutside = (): boolean => asked;
