const list = (words: string) => words.split(" ");

/** Words for generated rows. */
export const seedWords = {
  categories: list(
    "Fractals Gradients Automata Music Waves Noise Geometry Optical Light Slow Oceans Forests Cities Machines Weather Paper Glass Sand Smoke Night Morning Deserts Islands Trains Kitchens Gardens Bridges Maps Clouds Festivals",
  ),
  moods: list(
    "Quiet Golden Slow Hidden Wild Early Late Distant Bright Silver Misty Open Endless Gentle Restless Frozen Painted Salty Dusty Northern Southern Secret Simple Midnight Winter Summer Autumn Spring Rainy Paper Copper Velvet Electric Forgotten Handmade Borrowed Floating Hollow Amber Indigo",
  ),
  things: list(
    "Morning Harbour River Kitchen Garden Market Train Mountain Lighthouse Forest Island Bicycle Workshop Bakery Festival Desert Orchestra Window Bridge Meadow Waterfall Library Tram Vineyard Carnival Rooftop Ferry Orchard Glacier Staircase Pottery Campfire Canyon Kite Snowfall Dance Rehearsal Marathon Aquarium Observatory Mirror Tunnel Compass Lantern Wheel Curtain Piano Clock Ladder Carousel",
  ),
  links: list("above after before beside in near of under with without"),
  firstNames: list(
    "Amara Bjorn Chiara Dayo Elif Farah Goran Hana Ines Jonas Kofi Lena Mateo Nadia Omar Paola Quentin Rosa Sami Thabo Uma Viktor Wanda Ximena Yara Zoe Aiko Boris Celia Dario Esther Felix Greta Hugo Iris Jamal Karin Leo Mina Nils Olga Pavel Rania Stefan Tomas Ulla Vera Wim Yusuf Zelda",
  ),
  lastNames: list(
    "Abara Berg Castro Dlamini Eriksen Fontaine Garcia Hughes Ivanova Jansen Kowalski Lindqvist Moreau Novak Okafor Petrov Quispe Rossi Schmidt Tanaka Ueda Vargas Weiss Xu Yilmaz Zanetti Adeyemi Brandt Costa Duarte Engel Ferrari Gruber Holm Ito Jovanovic Keller Larsen Mbeki Nyström Ortega Park Rahman Silva Toth Usman Virtanen Walsh Yamada Zeman Acheampong Bauer Cruz Diallo Evans Fischer Gomez Haddad Ibrahim Jensen",
  ),
};
