// Brute force over every Caribbean Stud Poker deal (58 Pa. Code ch. 639a), on one NVIDIA GPU.
//
// What it proves: the exact total net result, in Antes, over all C(52,5) * 47 * C(46,4) = 19,933,230,517,200 deals
// (player's five cards, dealer's up-card, dealer's four hole cards) when the player folds or raises as well as possible
// knowing his own hand and the up-card. Dividing the total by the number of deals gives the house edge exactly.
//
// How: no symmetry, no sampling, no floating point. For each of the 2,598,960 player hands and each of its 47 up-cards
// one GPU block plays all 163,185 sets of hole cards, looking up the dealer's hand in a table of all 2,598,960 hands,
// and adds up what a raise nets. The host then takes, for each pair, the better of that sum and of folding every time.
// The host also checks the number of hands of each kind, and replays 500 random pairs itself without any table.
//
// Run (half a minute on an H200; sm_90 is the target for Hopper cards; give a number of player hands for a short test):
//   nvcc -O3 -std=c++17 -arch=sm_90 -o /tmp/caribbean caribbean_brute_force.cu && /tmp/caribbean [player hands]

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

// ---------------------------------------------------------------------------------------------------------------------
// Rules. A card is 4 * rank + suit, with rank 0 for a deuce up to 12 for an ace.

constexpr int NUM_HANDS = 2598960;        // C(52,5)
constexpr int NUM_UP_CARDS = 47;          // cards the player has not seen, each of which may be the up-card
constexpr int NUM_HOLES = 163185;         // C(46,4)
constexpr int KING = 11, ACE = 12;

constexpr int FOLD_NET = -1;              // the Ante is lost
constexpr int NOT_QUALIFIED_NET = 1;      // Ante paid 1 to 1, Bet returned
constexpr int LOSE_NET = -3;              // Ante and Bet lost
constexpr int FOLD_WAGER = 1, RAISE_WAGER = 3;

enum { HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL, CATEGORIES };
const char *const NAME[CATEGORIES] = {"high card", "a pair", "two pair", "three of a kind", "straight",
                                      "flush", "full house", "four of a kind", "straight flush", "royal flush"};
const int BET_PAYS[CATEGORIES] = {1, 1, 2, 3, 4, 5, 7, 20, 50, 100};
const int KNOWN_COUNT[CATEGORIES] = {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4};

struct Value {
    int category;
    int key;  // compares hands: the greater key wins, equal keys tie
};

// The value of five different cards in any order.
Value evaluate(const int *cards) {
    int count[13] = {};
    bool flush = true;
    for (int i = 0; i < 5; ++i) {
        ++count[cards[i] / 4];
        flush = flush && cards[i] % 4 == cards[0] % 4;
    }
    // Ranks in the order that matters: the most numerous first, then the highest.
    int ranks[5], different = 0;
    for (int times = 4; times >= 1; --times)
        for (int rank = 12; rank >= 0; --rank)
            if (count[rank] == times) ranks[different++] = rank;

    int straight_high = -1;
    if (different == 5) {
        if (ranks[0] - ranks[4] == 4) straight_high = ranks[0];
        if (ranks[0] == ACE && ranks[1] == 3) straight_high = 3;  // A-2-3-4-5: a straight to the five (rank 3)
    }
    int category;
    if (straight_high >= 0)
        category = !flush ? STRAIGHT : straight_high == ACE ? ROYAL : STRAIGHT_FLUSH;
    else if (different == 5)
        category = flush ? FLUSH : HIGH_CARD;
    else if (different == 4)
        category = PAIR;
    else if (different == 3)
        category = count[ranks[0]] == 3 ? THREE : TWO_PAIR;
    else
        category = count[ranks[0]] == 4 ? FOUR : FULL_HOUSE;

    int key = category;
    for (int i = 0; i < 5; ++i) {
        int rank = straight_high >= 0 ? straight_high : i < different ? ranks[i] : 0;
        key = key * 13 + rank;
    }
    return {category, key};
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables. Five cards a < b < c < d < e stand at place C(a,1) + C(b,2) + C(c,3) + C(d,4) + C(e,5) of the list of hands.

struct Hand {
    uint8_t card[5];
};
struct alignas(4) Holes {
    uint8_t position[4];  // increasing positions, 0 to 45, among the cards neither in the player's hand nor up
};

__host__ __device__ int choose(int n, int k) {
    int ways = 1;
    for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
    return ways;
}

void require(bool fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "FAILED: %s\n", what);
    exit(1);
}

void cuda(cudaError_t status) { require(status == cudaSuccess, cudaGetErrorString(status)); }

template <typename T>
T *to_device(const std::vector<T> &values) {
    T *copy;
    cuda(cudaMalloc(&copy, values.size() * sizeof(T)));
    cuda(cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return copy;
}

// ---------------------------------------------------------------------------------------------------------------------
// The GPU's part: one block for each (player hand, up-card) plays every set of hole cards.

constexpr int THREADS = 256;

__global__ void play_raises(const Hand *hands, const uint16_t *strength, const uint8_t *pays, const Holes *holes,
                            int qualifying_strength, int first_hand, int *raise_net, unsigned long long *deals) {
    const int hand = first_hand + blockIdx.x / NUM_UP_CARDS;
    const int up_choice = blockIdx.x % NUM_UP_CARDS;

    // The 46 possible hole cards in increasing order; those at positions below up_choice are lower than the up-card.
    __shared__ int up_card;
    __shared__ int rest[46];
    __shared__ int block_net, block_deals;
    if (threadIdx.x == 0) {
        block_net = block_deals = 0;
        int unseen = 0, left = 0;
        for (int card = 0; card < 52; ++card) {
            bool in_hand = false;
            for (int i = 0; i < 5; ++i) in_hand = in_hand || hands[hand].card[i] == card;
            if (in_hand) continue;
            if (unseen++ == up_choice)
                up_card = card;
            else
                rest[left++] = card;
        }
    }
    __syncthreads();

    // What each card adds to the place of the dealer's hand in the list. Hole card i (from 0) is the (i+1)-th lowest
    // of the dealer's five if it is below the up-card, else the (i+2)-th; the up-card comes after those below it.
    __shared__ int hole_term[4][46];
    __shared__ int up_term[5];
    for (int n = threadIdx.x; n < 4 * 46; n += THREADS) {
        const int i = n / 46, position = n % 46;
        hole_term[i][position] = choose(rest[position], position < up_choice ? i + 1 : i + 2);
    }
    if (threadIdx.x < 5) up_term[threadIdx.x] = choose(up_card, threadIdx.x + 1);
    __syncthreads();

    const int player = strength[hand];
    const int win_net = 1 + 2 * pays[hand];
    int net = 0, played = 0;
    for (int n = threadIdx.x; n < NUM_HOLES; n += THREADS) {
        const Holes hole = holes[n];
        int below_up = 0, place = 0;
        for (int i = 0; i < 4; ++i) {
            below_up += hole.position[i] < up_choice;
            place += hole_term[i][hole.position[i]];
        }
        const int dealer = strength[place + up_term[below_up]];
        if (dealer < qualifying_strength)
            net += NOT_QUALIFIED_NET;
        else if (dealer < player)
            net += win_net;
        else if (dealer > player)
            net += LOSE_NET;
        ++played;
    }

    atomicAdd(&block_net, net);  // at most 163,185 * 201 either way: well within 32 bits
    atomicAdd(&block_deals, played);
    __syncthreads();
    if (threadIdx.x == 0) {
        raise_net[blockIdx.x] = block_net;
        atomicAdd(deals, (unsigned long long)block_deals);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The same sum for one pair on the host, straight from the rules and without any table, to check the GPU's.

long long slow_raise_net(const Hand &hand, int up_choice) {
    std::vector<int> unseen;
    int player_cards[5];
    for (int i = 0; i < 5; ++i) player_cards[i] = hand.card[i];
    for (int card = 0; card < 52; ++card)
        if (std::count(player_cards, player_cards + 5, card) == 0) unseen.push_back(card);
    const int up_card = unseen[up_choice];
    unseen.erase(unseen.begin() + up_choice);

    const Value player = evaluate(player_cards);
    long long net = 0;
    for (int a = 0; a < 46; ++a)
        for (int b = 0; b < a; ++b)
            for (int c = 0; c < b; ++c)
                for (int d = 0; d < c; ++d) {
                    const int cards[5] = {up_card, unseen[a], unseen[b], unseen[c], unseen[d]};
                    const Value dealer = evaluate(cards);
                    bool has_ace = false, has_king = false;
                    for (int card : cards) {
                        has_ace = has_ace || card / 4 == ACE;
                        has_king = has_king || card / 4 == KING;
                    }
                    if (dealer.category == HIGH_CARD && !(has_ace && has_king))
                        net += NOT_QUALIFIED_NET;
                    else if (player.key > dealer.key)
                        net += 1 + 2 * BET_PAYS[player.category];
                    else if (player.key < dealer.key)
                        net += LOSE_NET;
                }
    return net;
}

int main(int argc, char **argv) {
    const int hands_to_play = argc > 1 ? std::min(atoi(argv[1]), NUM_HANDS) : NUM_HANDS;
    require(hands_to_play > 0, "the number of player hands must be positive");
    cudaDeviceProp device;
    cuda(cudaGetDeviceProperties(&device, 0));
    const auto start = std::chrono::steady_clock::now();
    auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };

    // Every hand in list order, its value, and the counts of each category against the well-known ones.
    std::vector<Hand> hands;
    std::vector<int> keys;
    std::vector<uint8_t> pays;
    int count[CATEGORIES] = {};
    for (int e = 0; e < 52; ++e)
        for (int d = 0; d < e; ++d)
            for (int c = 0; c < d; ++c)
                for (int b = 0; b < c; ++b)
                    for (int a = 0; a < b; ++a) {
                        const int cards[5] = {a, b, c, d, e};
                        const int place = choose(a, 1) + choose(b, 2) + choose(c, 3) + choose(d, 4) + choose(e, 5);
                        require(place == (int)hands.size(), "the place formula does not follow the list of hands");
                        const Value value = evaluate(cards);
                        hands.push_back({{(uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d, (uint8_t)e}});
                        keys.push_back(value.key);
                        pays.push_back(BET_PAYS[value.category]);
                        ++count[value.category];
                    }
    require((int)hands.size() == NUM_HANDS, "wrong number of hands");
    for (int category = 0; category < CATEGORIES; ++category) {
        printf("%-16s %9d hands\n", NAME[category], count[category]);
        require(count[category] == KNOWN_COUNT[category], "wrong number of hands in a category");
    }

    // Strength: the keys renumbered 0, 1, 2, ... in the same order, so that one fits in 16 bits.
    std::vector<int> distinct = keys;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    require(distinct.size() == 7462, "wrong number of different hand values");
    auto strength_of_key = [&](int key) {
        return (int)(std::lower_bound(distinct.begin(), distinct.end(), key) - distinct.begin());
    };
    std::vector<uint16_t> strength;
    for (int key : keys) strength.push_back(strength_of_key(key));
    const int lowest_ace_king[5] = {4 * ACE, 4 * KING + 1, 4 * 2 + 2, 4 * 1 + 3, 4 * 0};  // A-K-4-3-2, mixed suits
    const int qualifying_strength = strength_of_key(evaluate(lowest_ace_king).key);

    std::vector<Holes> holes;
    for (int d = 0; d < 46; ++d)
        for (int c = 0; c < d; ++c)
            for (int b = 0; b < c; ++b)
                for (int a = 0; a < b; ++a) holes.push_back({{(uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d}});
    require((int)holes.size() == NUM_HOLES, "wrong number of hole card sets");

    const Hand *device_hands = to_device(hands);
    const uint16_t *device_strength = to_device(strength);
    const uint8_t *device_pays = to_device(pays);
    const Holes *device_holes = to_device(holes);
    unsigned long long *device_deals = to_device(std::vector<unsigned long long>{0});

    // Play every hand, some at a time, and decide for each (player hand, up-card).
    const int HANDS_AT_A_TIME = 50000;
    std::vector<int> raise_net((size_t)hands_to_play * NUM_UP_CARDS);
    int *device_raise_net = to_device(std::vector<int>((size_t)HANDS_AT_A_TIME * NUM_UP_CARDS));
    long long total_net = 0, total_wagered = 0, raises = 0, folds = 0, even = 0;
    for (int first = 0; first < hands_to_play; first += HANDS_AT_A_TIME) {
        const int pairs = std::min(HANDS_AT_A_TIME, hands_to_play - first) * NUM_UP_CARDS;
        play_raises<<<pairs, THREADS>>>(device_hands, device_strength, device_pays, device_holes, qualifying_strength,
                                        first, device_raise_net, device_deals);
        cuda(cudaGetLastError());
        int *const chunk = raise_net.data() + (size_t)first * NUM_UP_CARDS;
        cuda(cudaMemcpy(chunk, device_raise_net, pairs * sizeof(int), cudaMemcpyDeviceToHost));
        for (int pair = 0; pair < pairs; ++pair) {
            const bool raise = chunk[pair] > FOLD_NET * NUM_HOLES;
            total_net += raise ? chunk[pair] : FOLD_NET * NUM_HOLES;
            total_wagered += (long long)(raise ? RAISE_WAGER : FOLD_WAGER) * NUM_HOLES;
            ++(raise ? raises : folds);
            even += chunk[pair] == FOLD_NET * NUM_HOLES;
        }
        const int hands_played = first + pairs / NUM_UP_CARDS;
        printf("%9d player hands played, net so far %lld, %.1f s\n", hands_played, total_net, seconds());
        fflush(stdout);
    }
    const double played_seconds = seconds();
    unsigned long long deals;
    cuda(cudaMemcpy(&deals, device_deals, sizeof deals, cudaMemcpyDeviceToHost));

    const int CHECKS = 500;
    std::mt19937 random(639);
    for (int check = 0; check < CHECKS; ++check) {
        const size_t pair = random() % raise_net.size();
        require(slow_raise_net(hands[pair / NUM_UP_CARDS], pair % NUM_UP_CARDS) == raise_net[pair],
                "the host's replay of a (player hand, up-card) pair differs from the GPU's");
    }
    printf("checked: %d random (player hand, up-card) pairs replayed on the host agree\n\n", CHECKS);

    if (hands_to_play < NUM_HANDS) printf("PARTIAL: the first %d player hands only\n", hands_to_play);
    printf("deals          %llu (counted on the GPU)\n", deals);
    printf("pairs          %lld raised, %lld folded (%lld of them equally good raised)\n", raises, folds, even);
    printf("total net      %lld\n", total_net);
    printf("total wagered  %lld\n", total_wagered);
    printf("seconds        %.1f (and %.1f to check)\n", played_seconds, seconds() - played_seconds);
    printf("device         %s\n", device.name);
    require(deals == (unsigned long long)hands_to_play * NUM_UP_CARDS * NUM_HOLES, "not every deal was played");
    return 0;
}
